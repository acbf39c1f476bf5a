import { mailPaths, type MailDirectories } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { hostnameValue, portValue } from './mail-values.ts'

export interface PostsrsdOptions extends MailDirectories {
  /** Domain of the SRS addresses: bounces come to it, and SPF is checked for it. */
  hostname: string
  ports: Pick<MailPorts, 'srs' | 'srsReverse'>
}

/** Seconds. Each connection is a process of its own. */
const idleTimeout = 300

/** postsrsd 1.10, as Debian 12 and 13 ship it, has no configuration file. */
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
