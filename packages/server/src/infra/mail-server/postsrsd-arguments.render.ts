import { mailPaths, type MailDirectories } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { hostnameValue, portValue } from './mail-values.ts'

export interface PostsrsdOptions extends MailDirectories {
  /** Domain of SRS addresses: receives their bounces, and receivers check its SPF record. */
  hostname: string
  ports: Pick<MailPorts, 'srs' | 'srsReverse'>
}

/** Seconds. Each connection uses a process. */
const idleTimeout = 300

/** postsrsd 1.10 (Debian 12 and 13) has no configuration file. */
export function renderPostsrsdArguments(options: PostsrsdOptions): readonly string[] {
  const { srs } = mailPaths(options)
  return [
    '-4',
    '-l127.0.0.1',
    `-f${portValue(options.ports.srs)}`,
    `-r${portValue(options.ports.srsReverse)}`,
    `-d${hostnameValue(options.hostname)}`,
    '-s/dev/stdin',
    '-upostsrsd',
    `-c${srs.root}`,
    `-t${idleTimeout}`
  ]
}
