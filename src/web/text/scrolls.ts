/** For what may be wider or longer than the page: with the keyboard, one scrolls what has the focus. */
export const SCROLLS = { tabIndex: 0 } as const
