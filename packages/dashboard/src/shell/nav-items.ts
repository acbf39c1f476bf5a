import { type Icon, IconDatabase, IconHome, IconStack2, IconTransfer, IconWorld } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Schema } from '../api/client.ts'
import type { MessageKey } from '../i18n/messages.ts'
import type english from './shell.en.json'

export interface NavItem {
  to: NonNullable<LinkProps['to']>
  icon: Icon
  label: MessageKey<typeof english>
  /** What one may not see is not in the navigation; left out where everybody may. */
  isFor?: (me: Schema<'User'>) => boolean
}

/** What an account has. */
export const accountItems: readonly NavItem[] = [
  { to: '/', icon: IconHome, label: 'overview' },
  { to: '/projects', icon: IconStack2, label: 'projects' },
  { to: '/domains', icon: IconWorld, label: 'domains' },
  { to: '/databases', icon: IconDatabase, label: 'databases' },
  { to: '/sftp', icon: IconTransfer, label: 'sftp' }
]

/** What is the whole server's. */
export const serverItems: readonly NavItem[] = []
