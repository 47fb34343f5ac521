// Which pictures of a conversation the API refuses. The limits are those of its documentation: 5 MB of base64, 8,000
// pixels a side, 2,000 when there are more than twenty, a hundred in all.

import type { ImageFact } from './body-facts.ts'

export interface PlacedImage {
  readonly row: number
  readonly image: ImageFact
}

export interface RefusedImage extends PlacedImage {
  readonly code: 'image-too-large' | 'image-too-wide' | 'too-many-images'
}

const BASE64_MAX = 5 * 1024 * 1024
const SIDE_MAX = 8000
const SIDE_MAX_OF_MANY = 2000
const FEW = 20
const IMAGES_MAX = 100

export function refusedImages(images: readonly PlacedImage[]): readonly RefusedImage[] {
  const refused: RefusedImage[] = []
  let fitting: PlacedImage[] = []
  for (const one of images) {
    const side = longestSide(one.image)
    if (one.image.base64Length > BASE64_MAX) refused.push({ ...one, code: 'image-too-large' })
    else if (side > SIDE_MAX) refused.push({ ...one, code: 'image-too-wide' })
    else fitting.push(one)
  }
  if (fitting.length > FEW) {
    const wide = fitting.filter(({ image }) => longestSide(image) > SIDE_MAX_OF_MANY)
    for (const one of wide) refused.push({ ...one, code: 'image-too-wide' })
    fitting = fitting.filter(({ image }) => longestSide(image) <= SIDE_MAX_OF_MANY)
  }
  // The oldest go: what is talked about now is more likely to be among the last.
  const over = Math.max(0, fitting.length - IMAGES_MAX)
  for (const one of fitting.slice(0, over)) refused.push({ ...one, code: 'too-many-images' })
  return refused
}

function longestSide({ size }: ImageFact): number {
  return size === null ? 0 : Math.max(size.width, size.height)
}
