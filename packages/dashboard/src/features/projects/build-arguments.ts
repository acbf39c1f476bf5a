type BuildArguments = Record<string, string> | null | undefined

export const argumentLines = (values: BuildArguments): string =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

/** Reads `NAME=value` lines; null if there are none. The schema checks the names. */
export function readArgumentLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf('=')
      return equals < 0 ? [line.trim(), ''] : [line.slice(0, equals).trim(), line.slice(equals + 1)]
    })
  )
}
