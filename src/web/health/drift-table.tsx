import type { JSX } from 'react'
import type { Health } from '../../server/api/health.ts'
import { count } from '../parts/units.ts'

const KINDS: Readonly<Record<string, string>> = {
  type: 'type of record',
  subtype: 'subtype',
  block: 'kind of block',
  key: 'field',
}

/** What the client wrote that nobody told us about. It is kept whole; a newer Clew may know it. */
export function DriftTable({ drift }: { readonly drift: Health['drift'] }): JSX.Element {
  return (
    <section className="health-part" aria-labelledby="drift">
      <h2 id="drift">Not met before</h2>
      {drift.length === 0 ? (
        <p className="health-good">Nothing. Every record is of a kind that Clew knows.</p>
      ) : (
        <>
          <p className="small soft">
            What the client wrote that this Clew has not met before. It is kept whole all the same; a newer Clew may
            know it.
          </p>
          <div className="health-scroll">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">What</th>
                  <th scope="col">Client</th>
                  <th scope="col" className="number">
                    Times
                  </th>
                </tr>
              </thead>
              <tbody>
                {drift.map(({ kind, name, version, count: times }) => (
                  <tr key={`${kind} ${name} ${version}`}>
                    <th scope="row">
                      <code>{name}</code>
                    </th>
                    <td>{KINDS[kind] ?? kind}</td>
                    <td>{version}</td>
                    <td className="number">{count(times)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  )
}
