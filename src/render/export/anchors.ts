// Names for places on a page, made from the uuids of records: a link to one stays good when the page is written again,
// and when more or less of the conversation is shown.

/** `kind` tells a prompt from a reply, so that leaving one out does not rename the other. */
export type Anchors = (kind: string, id: string | null) => string

export function newAnchors(): Anchors {
  const taken = new Map<string, number>()
  return (kind, id) => {
    const name = `${kind}-${(id ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 8) || 'x'}`
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    return times === 1 ? name : `${name}-${times}`
  }
}
