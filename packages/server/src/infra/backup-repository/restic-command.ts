import type { BackupRoot, Repository, RepositoryPlace } from './backup-repository.ts'

interface ResticCommand {
  /** Options before the command. They hold no secret: other users of the machine can read arguments. */
  options: string[]
  env: Record<string, string>
}

/** Files with what restic and ssh take only from files, in a private directory. */
export interface PlaceFiles {
  caCertificate: string
  privateKey: string
  knownHosts: string
}

export function resticCommand(
  { place, id, key }: Repository,
  files: PlaceFiles,
  cacheDirectory: string
): ResticCommand {
  const env = {
    RESTIC_REPOSITORY: repositoryAddress(place),
    // Only root reads the environment of a process of root.
    RESTIC_PASSWORD: key,
    RESTIC_CACHE_DIR: `${cacheDirectory}/${id}`,
    RESTIC_PROGRESS_FPS: '1',
    HOME: cacheDirectory
  }
  switch (place.kind) {
    case 'FOLDER':
      return { options: [], env }
    case 'SFTP':
      return { options: ['-o', `sftp.command=${sshCommand(place, files)}`], env }
    case 'S3':
      return {
        options: authorityOption(place, files),
        env: { ...env, AWS_ACCESS_KEY_ID: place.accessKeyId, AWS_SECRET_ACCESS_KEY: place.secretAccessKey }
      }
    case 'REST':
      return { options: authorityOption(place, files), env }
  }
}

function repositoryAddress(place: RepositoryPlace): string {
  switch (place.kind) {
    case 'FOLDER':
      return place.path
    case 'SFTP':
      return `sftp:${place.username}@${place.host}:${place.path}`
    case 'S3':
      return `s3:${withoutSlash(place.endpoint)}/${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`
    case 'REST': {
      const url = new URL(place.url)
      url.username = encodeURIComponent(place.username ?? '')
      url.password = encodeURIComponent(place.password ?? '')
      return `rest:${url.href}`
    }
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

const authorityOption = ({ caCertificate }: { caCertificate?: string | undefined }, files: PlaceFiles): string[] =>
  caCertificate === undefined ? [] : ['--cacert', files.caCertificate]

/** restic splits this text at spaces, as a shell would. Users and hosts have no special characters (contract). */
function sshCommand(
  { host, port, username }: Extract<RepositoryPlace, { kind: 'SFTP' }>,
  { privateKey, knownHosts }: PlaceFiles
): string {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'ConnectTimeout=20',
    'ServerAliveInterval=20',
    'ServerAliveCountMax=6'
  ]
  return ['ssh', '-F', 'none', '-i', privateKey, '-p', String(port), ...options.map((each) => `-o${each}`), '-l', username, host, '-s', 'sftp'].join(' ') // oxfmt-ignore
}

export const knownHostsLine = ({ host, port, hostKey }: Extract<RepositoryPlace, { kind: 'SFTP' }>): string =>
  `${port === 22 ? host : `[${host}]:${port}`} ${hostKey}\n`

/** Secrets that a program's error text must not carry on. */
export function secretsOf({ place, key }: Repository): string[] {
  switch (place.kind) {
    case 'FOLDER':
      return [key]
    case 'SFTP':
      return [key, place.privateKey]
    case 'S3':
      return [key, place.secretAccessKey]
    case 'REST':
      return place.password === undefined ? [key] : [key, place.password, encodeURIComponent(place.password)]
  }
}

/**
 * `--exclude` options for a root below `stage`. Anchored to it, so that a pattern can be neither an option nor a negation and
 * reaches no other part of the snapshot.
 */
export const excludeOptions = (stage: string, { name, excluded = [] }: BackupRoot): string[] =>
  excluded.map((pattern) => {
    const at = `${literalPattern(`${stage}/${name}`)}${pattern.startsWith('/') ? '' : '/**/'}`
    return `--exclude=${at}${pattern.replace(/[\\[\]]/g, '\\$&')}`
  })

/** `--include` takes patterns. */
export const literalPattern = (path: string): string => path.replace(/[\\*?[\]]/g, '\\$&')
