// The folder a client keeps the sessions of a working folder in. The name is lossy: it is made, never decoded.

const LENGTH_MAX = 200

export function projectKeyOf(cwd: string): string {
  const plain = cwd.replace(/[^A-Za-z0-9]/g, '-')
  return plain.length <= LENGTH_MAX ? plain : `${plain.slice(0, LENGTH_MAX)}-${hashOf(cwd)}`
}

/** The client's own: names made by both have to meet. */
function hashOf(text: string): string {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = ((hash << 5) - hash + text.charCodeAt(at)) | 0
  return Math.abs(hash).toString(36)
}
