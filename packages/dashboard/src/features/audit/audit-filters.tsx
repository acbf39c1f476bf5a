import { NativeSelect, TextInput } from '@mantine/core'
import { AuditAction } from '@panel/contract/audit'
import { useNavigate } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { auditMessages as actionMessages } from '../../ui/audit-action/audit-action.messages.ts'
import { AccountFilter } from './account-filter.tsx'
import { auditMessages } from './audit.messages.ts'
import type { AuditSearch } from './audit.queries.ts'
import classes from './audit.module.css'

const areas = {
  accounts: ['user', 'auth', 'session', 'token'],
  projects: [
    'project',
    'git',
    'env_var',
    'deployment',
    'container',
    'scheduled_job',
    'command',
    'run',
    'process',
    'wordpress',
    'uptime_check',
    'status_page'
  ],
  files: ['file', 'sftp'],
  domains: ['domain', 'dns_record', 'certificate'],
  databases: ['database'],
  mail: ['mailbox', 'mail_alias', 'mail', 'mail_auth', 'dkim_key', 'mail_spam', 'mta_sts', 'mail_queue'],
  server: ['settings']
} as const
const groups = Object.entries(areas).map(([area, nouns]) => ({
  area: area as keyof typeof areas,
  actions: AuditAction.options.filter((action) => nouns.some((noun) => noun === action.split('.')[0]))
}))

export function AuditFilters({ search }: { search: AuditSearch }) {
  const t = useMessages(auditMessages)
  const actionText = useMessages(actionMessages)
  const navigate = useNavigate({ from: '/server/audit' })
  const apply = (changed: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, d: undefined, ...changed }), replace: true })
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('action')}
        value={search.action ?? ''}
        onChange={({ currentTarget }) => apply({ action: currentTarget.value || undefined })}
      >
        <option value="">{t('all')}</option>
        {groups.map(({ area, actions }) => (
          <optgroup key={area} label={t(`area.${area}`)}>
            {actions.map((action) => (
              <option key={action} value={action}>
                {actionText(action)}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <AccountFilter label={t('actor')} id={search.actor} onApply={(actor) => apply({ actor })} />
      <AccountFilter label={t('target')} id={search.target} onApply={(target) => apply({ target })} />
      <TimeFilter label={t('from')} time={search.from} onApply={(from) => apply({ from })} />
      <TimeFilter label={t('to')} time={search.to} onApply={(to) => apply({ to })} />
    </div>
  )
}

interface TimeFilterProps {
  label: string
  time: string | undefined
  onApply(time: string | undefined): void
}

function TimeFilter({ label, time, onApply }: TimeFilterProps) {
  const { fieldTime, fromFieldTime, timeZone } = useI18n()
  const shown = time === undefined ? '' : fieldTime(time)
  return (
    <TextInput
      key={shown}
      label={label}
      description={timeZone}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      type="datetime-local"
      defaultValue={shown}
      onBlur={({ currentTarget: { value } }) => {
        if (value !== shown) onApply(value === '' ? undefined : fromFieldTime(value))
      }}
    />
  )
}
