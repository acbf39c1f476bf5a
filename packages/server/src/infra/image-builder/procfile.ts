const maxLines = 1000

export function webProcess(procfile: string | undefined): string | undefined {
  const lines = (procfile ?? '').split('\n', maxLines).filter((line) => line.startsWith('web:'))
  return lines.map((line) => line.slice('web:'.length).trim()).find((command) => command !== '')
}
