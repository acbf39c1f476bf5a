import { type Instruction, problemAt, shown, takeFlags } from './dockerfile-scan.ts'

/** Options of COPY and ADD that BuildKit has without a syntax of its own. */
const builtIn = ['link', 'chmod']

/** Options that only BuildKit knows, with what to write instead; null: it changes nothing but the cache. */
const copyOptions: Readonly<Record<string, string | null>> = {
  link: null,
  chmod: 'set the mode with RUN chmod, or commit the file with that mode',
  parents: 'copy each directory with an instruction of its own',
  exclude: 'list the files in .dockerignore',
  checksum: 'add the file to the repository',
  'keep-git-dir': 'clone with RUN git clone'
}

/** Whether to keep an option of COPY or ADD. Throws BuildError if the builder lacks it and the build depends on it. */
export function isKeptCopyOption({ keyword, line }: Instruction, name: string, hasBuildKit: boolean): boolean {
  if (hasBuildKit && builtIn.includes(name)) return true
  const instead = Object.hasOwn(copyOptions, name) ? copyOptions[name] : undefined
  if (typeof instead === 'string' && hasBuildKit)
    throw problemAt(line, `has ${keyword} with the option --${name}, which is not supported; ${instead}`)
  if (typeof instead === 'string') throw needsBuildKit(line, `${keyword} with the option --${name}`, instead)
  return instead === undefined
}

/**
 * A RUN without its cache mounts, which only save downloads. Throws BuildError for other options, because the step would
 * lack what it needs.
 */
export function withoutCacheMounts(instruction: Instruction): { args: string; hasCacheMount: boolean } {
  const { args, line } = instruction
  if (!args.startsWith('--')) return { args, hasCacheMount: false }
  const { flags, rest } = takeFlags(instruction)
  for (const { name, value = '' } of flags) {
    const settings = value.split(',')
    const isPlainCache =
      name === 'mount' && settings.includes('type=cache') && !settings.some((one) => one.startsWith('from='))
    if (!isPlainCache)
      throw needsBuildKit(
        line,
        `RUN with the option ${shown(`--${name}=${value}`)}`,
        'copy the files with COPY, and pass what the site needs as variables of the project'
      )
  }
  return { args: rest, hasCacheMount: true }
}

export const hereDocument = ({ keyword, line }: Pick<Instruction, 'keyword' | 'line'>) =>
  needsBuildKit(line, `${keyword} with a here-document (<<)`, 'put the lines into a file, or join them with && and \\')

export const unclearHereDocument = ({ keyword, line }: Pick<Instruction, 'keyword' | 'line'>) =>
  problemAt(
    line,
    `has ${keyword} with a here-document that is not plain; write it as <<EOF with no quotes, backslashes or commands before it, and end it with a line EOF`
  )

const needsBuildKit = (line: number, what: string, instead: string) =>
  problemAt(line, `has ${what}, which requires BuildKit (Debian 13); ${instead}`)
