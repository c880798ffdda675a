import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/base.css';
import './styles/layout.css';
import './styles/sidebar.css';
import './styles/messages.css';
import './styles/composer.css';
import './styles/controls.css';
import './styles/modal.css';
import './styles/side.css';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
