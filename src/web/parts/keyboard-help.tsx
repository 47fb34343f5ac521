import type { JSX } from 'react'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { KEYS } from './keys.ts'
import './keyboard-help.css'

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog label="Keyboard" onClose={onClose}>
      <div className="dialog-head">
        <h2>Keyboard</h2>
        <button type="button" className="button quiet square" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </div>
      <div className="keys">
        {KEYS.map(({ where, keys }) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(({ press, does }) => (
                <div key={does}>
                  <dt>
                    {press.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
