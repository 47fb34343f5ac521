// Pictures that the API refuses are replaced by a text that says what was there.

import type { ThreadNode } from '../graph/thread.ts'
import type { ImageFact } from './body-facts.ts'
import type { Draft } from './draft.ts'
import { addStep, rowOf, shown, threadOf } from './draft.ts'
import type { PlacedImage, RefusedImage } from './images.ts'
import { refusedImages } from './images.ts'
import { sentNodes } from './live-path.ts'
import { replaceValue } from './row-text.ts'
import { MARK } from './said.ts'

const WHY: Readonly<Record<RefusedImage['code'], string>> = {
  'image-too-large': 'it is larger than 5 MB, and the API refuses the conversation for it',
  'image-too-wide': 'it has more pixels a side than the API takes',
  'too-many-images': 'the API takes no more than a hundred pictures',
}

export function mendImages(draft: Draft): void {
  for (const { row, image, code } of refusedImages(imagesIn(draft, sentNodes(threadOf(draft))))) {
    const { line, offset, length } = draft.survey.envelopes[row] ?? { line: 0, offset: 0, length: 0 }
    const { block, inner } = image
    const before = [shown(draft, row, described(image))]
    draft.quarantine.push({ line, offset, length, code })
    const text = `${MARK} A picture was here (${described(image)}). It was taken out because ${WHY[code]}.`
    replaceValue(draft, row, inner === null ? [block] : [block, 'content', inner], { type: 'text', text })
    addStep(draft, ['images', code, 'put a text in the place of a picture', WHY[code]], before, [
      shown(draft, row, 'a text'),
    ])
  }
}

export function imagesIn(draft: Draft, nodes: readonly ThreadNode[]): readonly PlacedImage[] {
  return nodes.flatMap(({ last }) => {
    const row = rowOf(draft, last)
    return (draft.facts.get(row)?.images ?? []).map((image) => ({ row, image }))
  })
}

function described({ mediaType, size, base64Length }: ImageFact): string {
  const pixels = size === null ? '' : `, ${size.width} × ${size.height} pixels`
  return `${mediaType}${pixels}, ${Math.ceil((base64Length * 3) / 4 / 1024)} KB`
}
