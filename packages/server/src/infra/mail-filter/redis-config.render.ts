import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'

/** Bayes tokens and greylisting. Memory is bounded; the oldest data is evicted. */
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
