// Other ways to say the same word, for when the words as typed are not there together: deletes for delete, Etiketten for
// Etikett. A list of endings is enough for that; it may make words that do not exist, which nobody has said and so
// nothing is found by.

import { fold } from '../base/fold.ts'

const ENDINGS = ['', 'e', 's', 'es', 'd', 'ed', 'ing', 'n', 'en'] as const
const Y_ENDINGS = ['y', 'ies', 'ied', 'ying'] as const
const STEM_MIN = 3

/** The word itself first. Words in other letters than Latin ones have no forms here. */
export function formsOf(word: string): readonly string[] {
  const plain = fold(word)
  if (!/^[a-z]{3,}$/.test(plain)) return [word]
  // Not -er: a worker is not work, nor a header a head.
  const stem = plain.replace(/(?:ing|ed|es|en|e|(?<![sui])s)$/, '')
  const stems = stem.length < STEM_MIN || !/[aeiouy]/.test(stem) ? [plain] : [plain, stem]
  const forms = stems.flatMap((one) => ENDINGS.map((ending) => one + ending))
  const y = /^(.{2,})(?:y|ies|ied|ying)$/.exec(plain)
  if (y !== null) forms.push(...Y_ENDINGS.map((ending) => `${y[1]}${ending}`))
  return [...new Set([word, ...forms.filter((form) => form !== plain)])]
}

/** Words that hold a sentence together and say nothing about what it is about: English, German, French, Spanish. */
export function isFiller(word: string): boolean {
  return FILLERS.has(fold(word))
}

const FILLERS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be been before being but by can could did do does doing done
  ever for from get got had has have having he her here him his how i if in into is it its just let like me might must my no
  not of off on once one only or our out over own please shall she should so some still such t than that the their them
  then there these they this those to too up us was we were what when where which while who whom whose why will with
  without would you your
  aber als am an auch auf aus bei bin bis das dass dem den der des die doch du durch ein eine einem einen einer eines er
  es fur hat hatte haben ich ihr im in ist kein keine man mich mir mit nach nicht noch nur ob oder schon sein sich sie sind
  so uber um und uns vom von vor wann war waren warum was weil welche welcher welches wenn wer werden wie wieso wir wird
  wo zu zum zur
  au aux avec ce ces cette comment dans de du elle est et il ils je la le les mais ne nous on ou par pas pour pourquoi
  quand que qui quoi sont sur tu un une vous
  como con cuando del donde el ella en era es esta este la las lo los no nosotros o para pero por porque que quien se son
  su un una y yo`.split(/\s+/),
)
