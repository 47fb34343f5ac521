export function hostileTexts(length: number): Readonly<Record<string, string>>
