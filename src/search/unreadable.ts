/** Something that was stored as JSON or packed cannot be read as such: it was damaged without SQLite noticing. */
export class Unreadable extends Error {}

export function readable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)
      throw new Unreadable(error.message)
    throw error
  }
}
