import { freePort } from '../../packages/server/test/support/ports.ts'
import { type RunningPanel, startPanel } from './panel.ts'

const names = [
  'SMTP',
  'SUBMISSION',
  'SUBMISSIONS',
  'IMAP',
  'IMAPS',
  'MANAGESIEVE',
  'LMTP',
  'MAIL_AUTH',
  'MAIL_QUOTA',
  'MAIL_POLICY',
  'MAIL_SRS',
  'MAIL_SRS_REVERSE',
  'MAIL_FORWARD'
] as const

export type MailPorts = Record<(typeof names)[number], number>

export async function chooseMailPorts(): Promise<{ env: Record<string, string>; ports: MailPorts }> {
  const chosen = await Promise.all(names.map(async (name) => [name, await freePort()] as const))
  return {
    env: {
      MAIL: 'on',
      DEFAULT_MAX_MAILBOXES: 'unlimited',
      DEFAULT_MAX_DISK_MB: 'unlimited',
      ...Object.fromEntries(chosen.map(([name, port]) => [`${name}_PORT`, String(port)]))
    },
    ports: Object.fromEntries(chosen) as MailPorts
  }
}

export async function startMailPanel(
  env: Record<string, string> = {}
): Promise<{ panel: RunningPanel; ports: MailPorts }> {
  const mail = await chooseMailPorts()
  const panel = await startPanel({ PANEL_MOCK_DNS: 'true', PANEL_DOMAIN: 'panel.test', ...mail.env, ...env })
  return { panel, ports: mail.ports }
}
