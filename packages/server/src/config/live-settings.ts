import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type ChangedValues, changedValues, followingConfig, unreadable } from './changed-config.policy.ts'
import type { Database } from '../db/database.ts'
import { ensureSetting, listSettings, timezoneKey, variablePrefix } from '../db/settings.ts'
import type { EventBus } from '../infra/event-bus/event-bus.ts'
import type { SecretBox } from '../infra/secret-box/secret-box.ts'
import { messageOf } from '../text/message-of.ts'
import { canonicalTimezone, runtimeTimezone } from '../time/timezone.policy.ts'
import { secretVariables } from './variable-facts.ts'

declare module '../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** Settings of the server, in the store. */
    'settings:changed': object
  }
}

// For a process that missed what it was told.
const readAgainMs = 60_000

/** What administrators have changed while the panel runs, as this process has it. */
export interface LiveSettings {
  /** As the process was started. */
  base: Config
  /** As it is now: its changeable variables are read from what is stored. */
  config: Config
  /** The clock of schedules and reports: an IANA name. */
  timezone(): string
  /** The texts that are stored, by variable, secrets decrypted where this process has the key; some may not count. */
  stored(): ReadonlyMap<string, string>
  /** Reads the store. */
  reload(): Promise<void>
  /** Called after each change that this process has read, until the returned function is called. */
  onChange(listener: () => void): () => void
  /** Keeps it fresh from now on. */
  follow(events: EventBus): void
  close(): void
}

/** Of a store with the current schema. Without a `secretBox` (the web process) secrets are known to be set, and no more. */
export async function openLiveSettings(
  base: Config,
  db: Database,
  logger: Logger,
  secretBox?: Pick<SecretBox, 'open'>
): Promise<LiveSettings> {
  let seen: string | undefined
  let stored: ReadonlyMap<string, string> = new Map()
  let values: ChangedValues = new Map()
  let timezone = 'UTC'
  const listeners = new Set<() => void>()
  const closers: (() => void)[] = []
  const config = followingConfig(base, () => values)

  const read = async () => {
    const zone = await ensureSetting(db, timezoneKey, runtimeTimezone)
    const rows = await listSettings(db, variablePrefix)
    const text = JSON.stringify([zone, [...rows].sort()])
    if (text === seen) return
    seen = text
    stored = decryptedSettings(rows, secretBox)
    timezone = canonicalTimezone(zone) ?? 'UTC'
    const changed = changedValues(base, stored)
    values = changed.values
    for (const { variable, problem } of changed.ignored)
      logger.warn({ variable, problem }, 'a setting that is stored is not one of this version, and does not count')
    if (logger.level !== config.LOG_LEVEL) logger.level = config.LOG_LEVEL
    for (const listener of listeners) listener()
  }
  // One after the other: an older answer must not come last.
  let reading: Promise<void> = Promise.resolve()
  const reload = () => (reading = reading.catch(() => {}).then(read))
  const refresh = () =>
    void reload().catch((error: unknown) => logger.warn({ error: messageOf(error) }, 'settings could not be read'))

  await reload()
  return {
    base,
    config,
    timezone: () => timezone,
    stored: () => stored,
    reload,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(events) {
      closers.push(
        events.subscribe({ onEvent: ({ name }) => void (name === 'settings:changed' && refresh()), onGap: refresh })
      )
      const timer = setInterval(refresh, readAgainMs)
      timer.unref()
      closers.push(() => clearInterval(timer))
    },
    close() {
      for (const closer of closers.splice(0)) closer()
      listeners.clear()
    }
  }
}

/** The stored texts with secrets decrypted, or `unreadable` without a key. */
export function decryptedSettings(
  rows: ReadonlyMap<string, string>,
  secretBox: Pick<SecretBox, 'open'> | undefined
): ReadonlyMap<string, string> {
  const read = (text: string) => {
    try {
      return secretBox ? secretBox.open(text) : unreadable
    } catch {
      return '' // Encrypted with another key: it does not count, and the page says so.
    }
  }
  return new Map([...rows].map(([name, text]) => [name, secretVariables.has(name) ? read(text) : text]))
}
