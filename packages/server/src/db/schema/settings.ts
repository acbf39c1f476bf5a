import { pgTable, text } from 'drizzle-orm/pg-core'

/** Facts of the installation: its id (in every label) and the check value of the encryption key. */
export const settings = pgTable('settings', { key: text('key').primaryKey(), value: text('value').notNull() })
