/** For the default arm of a switch over one of our own unions: the compiler proves it is never reached. */
export function assertUnreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
