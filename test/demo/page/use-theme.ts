import { useEffect, useState } from 'react';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Light or dark: what the system prefers. */
export function useTheme(): 'light' | 'dark' {
  const [isDark, setIsDark] = useState(DARK.matches);
  useEffect(() => {
    const follow = () => setIsDark(DARK.matches);
    DARK.addEventListener('change', follow);
    return () => DARK.removeEventListener('change', follow);
  }, []);
  return isDark ? 'dark' : 'light';
}
