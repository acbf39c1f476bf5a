type Values = Readonly<Record<string, string>>

/** Instructions of a Dockerfile. Everything that is not ours goes through JSON, so no text can end a line or an argument. */
export const from = (image: string, stage?: string): string =>
  `FROM ${image}${stage === undefined ? '' : ` AS ${stage}`}`

export const labels = (values: Values): string => `LABEL ${pairs(values)}`

export const env = (values: Values): string => `ENV ${pairs(values)}`

export const workdir = (path: string): string => `WORKDIR ${path}`

/** Exec form: no shell reads it and `$` stays as it is. */
export const run = (...argv: readonly string[]): string => `RUN ${JSON.stringify(argv)}`

/** A script of ours, or a user's in a file: `sh -c` inside the container. */
export const runShell = (script: string): string => run('/bin/sh', '-c', script)

/** Only for paths of ours: COPY expands `$`, quotes and wildcards even in its JSON form. */
export const copy = (source: string, target: string, stage?: string, owner?: number): string => {
  const options = [
    ...(stage === undefined ? [] : [`--from=${stage}`]),
    ...(owner === undefined ? [] : [`--chown=${owner}:${owner}`])
  ]
  return ['COPY', ...options, JSON.stringify([source, target])].join(' ')
}

/** Directories that are the user's own. COPY leaves one that is there as it is. */
export const directoriesOf = (owner: number, ...paths: readonly string[]): string =>
  run('install', '-d', '-o', String(owner), '-g', String(owner), ...paths)

export const expose = (port: number): string => `EXPOSE ${port}`

export const user = (name: string): string => `USER ${name}`

export const command = (argv: readonly string[]): string => `CMD ${JSON.stringify(argv)}`

export const dockerfile = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

// LABEL and ENV expand `$`; an escaped one is itself. A control character has no spelling there, so it becomes a space.
const pairs = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${quote(key)}=${quote(value)}`)
    .join(' ')

const quote = (text: string): string => `"${text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\$]/g, '\\$&')}"`
