import { NativeSelect, TextInput } from '@mantine/core'
import { AuditAction } from '@panel/contract/audit'
import { useNavigate } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { timeAtWall, wallTimeIn } from '../../i18n/zoned-time.ts'
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

/** In the zone of the reader; the address has it in UTC. */
function TimeFilter({ label, time, onApply }: TimeFilterProps) {
  const { timeZone } = useI18n()
  const shown = time === undefined ? '' : wallTimeIn(timeZone, new Date(time))
  return (
    <TextInput
      key={shown}
      label={`${label} (${timeZone})`}
      type="datetime-local"
      defaultValue={shown}
      onBlur={({ currentTarget }) => {
        const { value } = currentTarget
        if (value !== shown) onApply(value === '' ? undefined : timeAtWall(timeZone, value).toISOString())
      }}
    />
  )
}
