import type { Run } from '../infra/process/process.ts'

export interface ServiceNotifier {
  /** Shown by `systemctl status`. */
  status(text: string): void
  /** Ends the start. From here on systemd restarts the service when the event loop no longer runs. */
  ready(): void
  stopping(): void
  /** Before `ready`: keeps systemd from restarting the service while another version is tried. Call the result to end it. */
  answerWatchdog(): () => void
}

const timeoutMs = 10_000

/**
 * Notifies systemd about the state of this service (sd_notify(3)); does nothing unless its unit has Type=notify. Node.js cannot send datagrams to
 * Unix sockets, so systemd-notify sends them, in order. A lost notification is not an error: systemd then acts as for a hung service.
 */
export function createServiceNotifier(env: Readonly<Record<string, string | undefined>>, run: Run): ServiceNotifier {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = env
  let sent: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const send = (...states: string[]) => {
    if (!NOTIFY_SOCKET) return
    sent = sent.then(() => run(['systemd-notify', ...states], { timeoutMs, env: { NOTIFY_SOCKET } }).catch(() => {}))
  }
  const answer = () => {
    const watchdogMs = Number(WATCHDOG_USEC ?? 0) / 1000
    return watchdogMs > 0 ? setInterval(() => send('WATCHDOG=1'), watchdogMs / 3).unref() : undefined
  }
  return {
    status: (text) => send(`STATUS=${text}`),
    ready() {
      send('READY=1', 'STATUS=Running')
      timer = answer()
    },
    stopping() {
      clearInterval(timer)
      send('STOPPING=1', 'STATUS=Stopping')
    },
    answerWatchdog() {
      const answering = answer()
      return () => clearInterval(answering)
    }
  }
}
