// A place without a network, for programs that must not reach anybody.
import { spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

/** What to put before a command so that it has loopback and no other network; undefined if there is no way. */
export function walledCommand() {
  const up = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  // Without being root, one may still make a namespace in which one is.
  const ways = [
    ['unshare', '-n', ...up],
    ['unshare', '-r', '-n', ...up],
  ]
  return ways.find(([first, ...words]) => spawnSync(first, [...words, 'true'], { stdio: 'ignore' }).status === 0)
}

/** Run by hand and outside of a namespace, the client would have the network. */
export function refuseWithNetwork() {
  const outward = Object.entries(networkInterfaces()).filter(([, addresses]) => addresses.some((one) => !one.internal))
  if (outward.length === 0) return
  console.error(`this is no place without a network: ${outward.map(([name]) => name).join(', ')}`)
  process.exit(2)
}
