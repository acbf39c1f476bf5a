import { spawn } from 'node:child_process'
import type { Context } from './context.ts'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}

/** Does nothing without a terminal or a browser; the caller also prints the URL. */
export function openInBrowser({ stdout, stdin, env }: Context, url: string): void {
  if (stdout.isTTY !== true || !stdin.isTTY || env.SSH_CONNECTION !== undefined) return
  const [file, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(file, [...args, url], { detached: true, stdio: 'ignore' })
  child.once('error', () => {})
  child.unref()
}
