import {
  type Icon,
  IconActivity,
  IconDatabase,
  IconHistory,
  IconHome,
  IconServer2,
  IconSettings,
  IconMail,
  IconStack2,
  IconTransfer,
  IconUsers,
  IconWorld,
  IconBell,
  IconDatabaseExport,
  IconChartPie,
  IconKey,
  IconShieldLock,
  IconStethoscope,
  IconWall,
  IconUser
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { Schema } from '../api/client.ts'
import type { MessageKey } from '../i18n/messages.ts'
import type english from './shell.en.json'

export interface NavItem {
  to: NonNullable<LinkProps['to']>
  icon: Icon
  label: MessageKey<typeof english>
  isFor?: (me: Schema<'User'>) => boolean
  part?: string
  /** Quota: hidden if it is 0 and nothing exists. */
  quota?: keyof Schema<'UsageSummary'>['resources']
}

export const accountItems: readonly NavItem[] = [
  { to: '/', icon: IconHome, label: 'overview' },
  { to: '/projects', icon: IconStack2, label: 'projects', quota: 'maxProjects' },
  { to: '/domains', icon: IconWorld, label: 'domains', quota: 'maxDomains' },
  { to: '/databases', icon: IconDatabase, label: 'databases', quota: 'maxDatabases' },
  { to: '/mail', icon: IconMail, label: 'mail', quota: 'maxMailboxes', part: 'mailTransfer' },
  { to: '/sftp', icon: IconTransfer, label: 'sftp', quota: 'maxProjects' },
  {
    to: '/customers',
    icon: IconUsers,
    label: 'customers',
    quota: 'maxSubAccounts',
    isFor: ({ role, permissions }) =>
      role === 'RESELLER' || (role === 'USER' && permissions.includes('canCreateSubAccounts'))
  },
  { to: '/server/monitoring', icon: IconActivity, label: 'monitoring', isFor: ({ role }) => role !== 'ADMIN' }
]

export const serverItems: readonly NavItem[] = [
  { to: '/server/monitoring', icon: IconActivity, label: 'monitoring', isFor: ({ role }) => role === 'ADMIN' },
  { to: '/site-check', icon: IconStethoscope, label: 'siteCheck', isFor: ({ role }) => role === 'ADMIN' },
  { to: '/server/users', icon: IconUsers, label: 'users', isFor: ({ role }) => role === 'ADMIN' },
  {
    to: '/server/firewall',
    icon: IconWall,
    label: 'firewall',
    isFor: ({ role, permissions }) => role === 'ADMIN' || permissions.includes('canManageFirewall')
  },
  {
    to: '/server/backups',
    icon: IconDatabaseExport,
    label: 'backups',
    isFor: ({ role, permissions }) => role === 'ADMIN' || permissions.includes('canManageBackups')
  },
  { to: '/server/machines', icon: IconServer2, label: 'machines', isFor: ({ role }) => role === 'ADMIN' },
  { to: '/server/disk', icon: IconChartPie, label: 'disk', isFor: ({ role }) => role === 'ADMIN' },
  { to: '/server/audit', icon: IconHistory, label: 'audit', isFor: ({ role }) => role === 'ADMIN' },
  { to: '/server/settings', icon: IconSettings, label: 'settings', isFor: ({ role }) => role === 'ADMIN' }
]

export const ownItems: readonly NavItem[] = [
  { to: '/account/profile', icon: IconUser, label: 'profile' },
  { to: '/account/security', icon: IconShieldLock, label: 'security' },
  { to: '/account/tokens', icon: IconKey, label: 'tokens' },
  { to: '/account/notifications', icon: IconBell, label: 'notifications' }
]

interface NavFacts {
  me: Schema<'User'> | null | undefined
  health: Schema<'Health'> | undefined
  usage: Schema<'UsageSummary'> | undefined
}

/** Until health is known, assume that everything is installed, to prevent layout shift. */
export const isInNav = ({ isFor, part, quota }: NavItem, { me, health, usage }: NavFacts): boolean =>
  me != null &&
  (isFor?.(me) ?? true) &&
  (part === undefined || health === undefined || part in health.parts) &&
  (quota === undefined || me[quota] !== 0 || (usage?.resources[quota].used ?? 0) > 0)
