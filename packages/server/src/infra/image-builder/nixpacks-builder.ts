import type { ImageBuilder } from './image-builder.ts'

export function createNixpacksBuilder(_options: object): ImageBuilder {
  return { build: () => Promise.reject(new Error('under construction')) }
}
