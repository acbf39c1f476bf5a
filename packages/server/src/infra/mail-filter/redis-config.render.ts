import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'

/**
 * The whole redis.conf of what the filter remembers: words that it has learned, and who was put off. Nobody but the filter reaches it. What it
 * has longest not used goes where there is no room, and nothing else of the machine is asked for more.
 */
export function renderRedisConfig(directories: MailDirectories): string {
  const { filterStore } = mailPaths(directories)
  return `# Written by the panel.
port 0
unixsocket ${filterStore.socket}
unixsocketperm 770
dir ${filterStore.data}
pidfile ${filterStore.pid}
daemonize no
databases 1
maxmemory 128mb
maxmemory-policy volatile-lru
save 60 1
stop-writes-on-bgsave-error no
`
}
