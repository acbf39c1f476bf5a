import { NativeSelect, TextInput } from '@mantine/core'
import { AuditAction } from '@panel/contract/audit'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { AccountFilter } from './account-filter.tsx'
import { auditMessages } from './audit.messages.ts'
import type { AuditSearch } from './audit.queries.ts'
import classes from './audit.module.css'

/** What it is about, and its actions. */
const groups = [...new Set(AuditAction.options.map(nounOf))].map((noun) => ({
  noun,
  actions: AuditAction.options.filter((action) => nounOf(action) === noun)
}))

function nounOf(action: string): string {
  return action.split('.')[0]!
}

export function AuditFilters({ search }: { search: AuditSearch }) {
  const t = useMessages(auditMessages)
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
        {groups.map(({ noun, actions }) => (
          <optgroup key={noun} label={noun}>
            {actions.map((action) => (
              <option key={action} value={action}>
                {action}
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

/** In the zone of the browser; the address has it in UTC. */
function TimeFilter({ label, time, onApply }: TimeFilterProps) {
  return (
    <TextInput
      key={time ?? ''}
      label={label}
      type="datetime-local"
      defaultValue={time === undefined ? '' : localOf(time)}
      onBlur={({ currentTarget }) => {
        const { value } = currentTarget
        if (value !== (time === undefined ? '' : localOf(time)))
          onApply(value === '' ? undefined : new Date(value).toISOString())
      }}
    />
  )
}

/** As such a field wants it: without a zone. */
function localOf(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
