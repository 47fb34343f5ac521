const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** `Saturday, 14 November 2026` */
export function longDay(day: string): string {
  const parts = FORMAT.formatToParts(Date.parse(day))
  const value = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? ''
  return `${value('weekday')}, ${value('day')} ${value('month')} ${value('year')}`
}
