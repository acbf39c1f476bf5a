interface Layered {
  Id: string
  ParentId: string
  Created: number
}

/**
 * BuildKit records no parents. An image without one gets the image that has the most of its first layers, which is what it was
 * built from; of two with the same layers, the older one.
 */
export function withParents<T extends Layered>(
  images: readonly T[],
  layersOf: (id: string) => readonly string[] | undefined
): T[] {
  const oldest = new Map<string, T>()
  const isOlder = (a: T, b: T) => a.Created < b.Created || (a.Created === b.Created && a.Id < b.Id)
  for (const image of images) {
    const key = (layersOf(image.Id) ?? []).join()
    const other = oldest.get(key)
    if (key !== '' && (other === undefined || isOlder(image, other))) oldest.set(key, image)
  }
  return images.map((image) => {
    const layers = layersOf(image.Id)
    if (image.ParentId !== '' || layers === undefined) return image
    for (let count = layers.length; count > 0; count--) {
      const found = oldest.get(layers.slice(0, count).join())
      if (found !== undefined && found !== image) return { ...image, ParentId: found.Id }
    }
    return image
  })
}

/** Digests of the layers that the steps of a history made, oldest first; undefined where they cannot be told. */
export function layersOfSteps(createdBy: readonly string[], layers: readonly string[]): (string | undefined)[] {
  const makesLayer = createdBy.map((text) => layerStep.test(text))
  if (makesLayer.filter(Boolean).length !== layers.length) return createdBy.map(() => undefined)
  let next = 0
  return makesLayer.map((makes) => (makes ? layers[next++] : undefined))
}

/** The others, such as ENV, only change the configuration. The step of an imported image has no text. */
const layerStep = /^(?:$|(?:RUN|COPY|ADD|WORKDIR) |\/bin\/sh -c (?!#\(nop\)|$)|\/bin\/sh -c #\(nop\) +(?:COPY|ADD) )/
