import { execLine } from '../../text/exec-line.ts'

type Values = Readonly<Record<string, string>>

/** Dockerfile instructions. Untrusted text goes through JSON, so it cannot end a line or an argument. */
export const from = (image: string, stage?: string): string =>
  `FROM ${image}${stage === undefined ? '' : ` AS ${stage}`}`

export const labels = (values: Values): string => `LABEL ${pairs(values)}`

export const env = (values: Values): string => `ENV ${pairs(values)}`

export const workdir = (path: string): string => `WORKDIR ${path}`

export const run = (...argv: readonly string[]): string => runWith([], ...argv)

/** For trusted options only. */
export interface Mount {
  type: 'cache' | 'secret'
  id: string
  target: string
  sharing?: 'locked'
  required?: true
}

/** A step with BuildKit's mounts, if there are any. */
export const runWith = (mounts: readonly Mount[], ...argv: readonly string[]): string =>
  ['RUN', ...mounts.map(mountOption), JSON.stringify(argv)].join(' ')

const mountOption = (mount: Mount): string =>
  `--mount=${Object.entries(mount)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')}`

export const runShell = (script: string): string => shellWith([], script)

export const shellWith = (mounts: readonly Mount[], script: string): string => runWith(mounts, '/bin/sh', '-c', script)

/** For trusted paths only: COPY expands `$`, quotes and wildcards even in its JSON form. */
export const copy = (source: string, target: string, stage?: string, owner?: number): string => {
  const options = [
    ...(stage === undefined ? [] : [`--from=${stage}`]),
    ...(owner === undefined ? [] : [`--chown=${owner}:${owner}`])
  ]
  return ['COPY', ...options, JSON.stringify([source, target])].join(' ')
}

/** Creates directories owned by `owner`. A later COPY keeps the owner of an existing directory. */
export const directoriesOf = (owner: number, ...paths: readonly string[]): string =>
  run('install', '-d', '-o', String(owner), '-g', String(owner), ...paths)

export const expose = (port: number): string => `EXPOSE ${port}`

export const user = (name: string): string => `USER ${name}`

export const command = (argv: readonly string[]): string => `CMD ${JSON.stringify(argv)}`

/** A shell line as a program whose last command gets the signals, where that is possible. */
export const shellProgram = (line: string): readonly string[] => ['/bin/sh', '-c', execLine(line)]

export const dockerfile = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

// LABEL and ENV expand `$` unless it is escaped. They cannot express control characters, so those become spaces.
const pairs = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${quote(key)}=${quote(value)}`)
    .join(' ')

const quote = (text: string): string => `"${text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\$]/g, '\\$&')}"`
