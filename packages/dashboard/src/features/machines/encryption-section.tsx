import { Button } from '@mantine/core'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { machineMessages } from './machines.messages.ts'
import { type Machine, machinesKey, updateMachine } from './machines.queries.ts'

/** Of an added machine. */
export function EncryptionSection({ machine: { id, name, isEncrypted, projects } }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const change = useAction({
    run: () => updateMachine(id, { isEncrypted: !isEncrypted }),
    invalidates: [machinesKey],
    done: () => t('encryption.changed', { name })
  })
  return (
    <Section
      title={t('encryption')}
      hint={t('encryption.hint')}
      actions={
        projects === 0 && (
          <Button variant="default" loading={change.isPending} onClick={() => change.start()}>
            {t(isEncrypted ? 'encryption.decrypt' : 'encryption.encrypt')}
          </Button>
        )
      }
    >
      <p role="status">{t(isEncrypted ? 'encryption.on' : 'encryption.off')}</p>
    </Section>
  )
}
