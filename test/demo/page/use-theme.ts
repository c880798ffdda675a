import { useEffect, useState } from 'react';

type Theme = 'light' | 'dark';
const DARK = '(prefers-color-scheme: dark)';

/** Light or dark: what the system prefers until somebody chooses. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [preferred, setPreferred] = useState<Theme>(() => (matchMedia(DARK).matches ? 'dark' : 'light'));
  const [chosen, setChosen] = useState<Theme>();
  useEffect(() => {
    const query = matchMedia(DARK);
    const follow = () => setPreferred(query.matches ? 'dark' : 'light');
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const theme = chosen ?? preferred;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setChosen];
}
