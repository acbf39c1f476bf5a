const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/

export const isVersion = (text: string): boolean => text.length <= 64 && pattern.test(text)

/** Semantic version precedence. False if either is not a valid version. */
export function isNewer(version: string, other: string): boolean {
  const [a, b] = [partsOf(version), partsOf(other)]
  if (!a || !b) return false
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - b.numbers[index]!
    if (difference !== 0) return difference > 0
  }
  if (a.identifiers.length === 0 || b.identifiers.length === 0) return a.identifiers.length < b.identifiers.length
  for (const [index, identifier] of a.identifiers.entries()) {
    const beside = b.identifiers[index]
    if (beside === undefined) return true
    if (identifier !== beside) return comesAfter(identifier, beside)
  }
  return false
}

function comesAfter(identifier: string, other: string): boolean {
  const [isNumber, isOtherNumber] = [identifier, other].map((text) => /^\d+$/.test(text))
  if (isNumber && isOtherNumber) return Number(identifier) > Number(other)
  return isNumber === isOtherNumber ? identifier > other : isOtherNumber!
}

function partsOf(version: string): { numbers: number[]; identifiers: string[] } | undefined {
  const [, major, minor, patch, before] = pattern.exec(version) ?? []
  if (major === undefined) return undefined
  return { numbers: [major, minor!, patch!].map(Number), identifiers: before?.split('.') ?? [] }
}
