import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { RunningPanel } from '../support/panel.ts'

export const program = fileURLToPath(new URL('../../panel', import.meta.url))

// Without the rows that a running panel changes on its own.
const tables = ['users', 'projects', 'env_vars', 'domains', 'dns_records', 'certificates', 'mailboxes', 'dkim_keys', 'databases', 'sftp_users', 'settings'] // oxfmt-ignore
const ownColumns = ['updated_at', 'applied_revision', 'container_id', 'container_status', 'status', 'live_deployment_id', 'last_login_at', 'network', 'probe_at'] // oxfmt-ignore
const ownSettings = ['panel_restored_at', 'backup_schedule_ran']

/** Rows of the store by table, as far as a restored panel must have the same. */
export async function rowsOf(panel: Pick<RunningPanel, 'query'>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of tables)
    found[table] = (
      await panel.query(`select to_jsonb(t) - $1::text[] as row from ${table} t where (to_jsonb(t) ->> 'key' = any($2) or to_jsonb(t) ->> 'key' ~ '^(schedule|metric-alerts):') is not true order by 1`, [ownColumns, ownSettings])
    ).map(({ row }) => row) // oxfmt-ignore
  return found
}

/** Runs `./panel restore` of the folder `repository`, killed once it has printed `killAt`. `env` names the new DATA_DIR. */
export function restorePanel(
  repository: string,
  key: string,
  env: Record<string, string>,
  killAt?: string
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, ['restore', repository], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PANEL_NODE: process.execPath, ...env, RESTORE_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (killAt !== undefined && output.includes(killAt)) child.kill('SIGKILL')
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
