import { pgTable, text } from 'drizzle-orm/pg-core'

/** Key-value settings of the installation, for example its id and the check value of the encryption key. */
export const settings = pgTable('settings', { key: text('key').primaryKey(), value: text('value').notNull() })
