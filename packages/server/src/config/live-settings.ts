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
    /** Stored settings changed. */
    'settings:changed': object
  }
}

// In case a process missed a notification.
const readAgainMs = 60_000

/** Settings that administrators changed at run time, as this process knows them. */
export interface LiveSettings {
  /** The configuration at startup. */
  base: Config
  /** The current configuration: changeable variables follow the stored values. */
  config: Config
  /** IANA time zone of schedules and reports. */
  timezone(): string
  /** Stored texts by variable, with secrets decrypted if this process has the key. May include ignored values. */
  stored(): ReadonlyMap<string, string>
  /** Reloads from the store. */
  reload(): Promise<void>
  /** Calls the listener after each reloaded change. Returns a function that removes it. */
  onChange(listener: () => void): () => void
  /** Starts to follow changes. */
  follow(events: EventBus): void
  close(): void
}

/** Needs the current schema. Without a `secretBox` (web process), only knows whether secrets are set. */
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
  // Sequential, so that an older result never overwrites a newer one.
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
      return '' // Encrypted with another key: ignored, and shown on the settings page.
    }
  }
  return new Map([...rows].map(([name, text]) => [name, secretVariables.has(name) ? read(text) : text]))
}
