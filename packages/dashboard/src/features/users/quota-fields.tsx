import { NumberInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { userMessages } from './users.messages.ts'
import classes from './users.module.css'

export const quotaNames = [
  'maxProjects',
  'maxDomains',
  'maxDatabases',
  'maxMailboxes',
  'maxSubAccounts',
  'maxDiskMb',
  'maxMemoryMb',
  'maxCpus',
  'maxTcpPorts'
] as const
export type QuotaName = (typeof quotaNames)[number]

interface QuotaFieldsProps {
  names?: readonly QuotaName[]
  propsOf(name: QuotaName): GetInputPropsReturnType
  placeholder: string
}

export function QuotaFields({ names = quotaNames, propsOf, placeholder }: QuotaFieldsProps) {
  const t = useMessages(userMessages)
  return (
    <div className={classes.grid}>
      {names.map((name) => (
        <NumberInput
          key={name}
          label={t(`quota.${name}`)}
          placeholder={placeholder}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...optionalNumber(propsOf(name))}
        />
      ))}
    </div>
  )
}
