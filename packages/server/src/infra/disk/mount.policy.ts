export interface Mount {
  point: string
  options: readonly string[]
  type: string
  source: string
  superOptions: readonly string[]
}

/** The mount of a path: the deepest one, and at the same place the latest. */
export function mountOf(mountinfo: string, path: string): Mount | undefined {
  const covering = mountinfo
    .split('\n')
    .map(parseLine)
    .filter((mount) => mount !== undefined)
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
  const deepest = Math.max(...covering.map(({ point }) => point.length))
  return covering.findLast(({ point }) => point.length === deepest)
}

export const missingOptions = ({ options }: Mount): string[] =>
  ['nosuid', 'nodev'].filter((option) => !options.includes(option))

// proc(5): id, parent, device, root, mount point, options, optional fields, hyphen, type, source, super options.
function parseLine(line: string): Mount | undefined {
  const [before, after] = line.split(' - ')
  const [, , , , point, options] = before!.split(' ')
  const [type, source, superOptions] = (after ?? '').split(' ')
  if (point === undefined || options === undefined || type === undefined) return undefined
  return {
    point: unescape(point),
    options: options.split(','),
    type,
    source: unescape(source ?? ''),
    superOptions: (superOptions ?? '').split(',')
  }
}

const unescape = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
