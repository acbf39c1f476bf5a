import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './machines.module.css'
import { machineMessages } from './machines.messages.ts'
import { type Machine, machinesKey, updateMachine } from './machines.queries.ts'

/** For an added machine. */
export function EdgeSection({ machine: { id, name, roles, publicIp } }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const isEdge = roles.includes('EDGE')
  const [address, setAddress] = useState(publicIp ?? '')
  const save = useAction({
    run: (change: { isEdge?: boolean; publicIp?: string | null }) => updateMachine(id, change),
    invalidates: [machinesKey],
    done: () => t('edge.saved', { name })
  })
  const wanted = address.trim() === '' ? null : address.trim()
  return (
    <Section title={t('edge')} hint={t('edge.hint')}>
      <Stack gap="sm" className={classes.form}>
        <TextInput
          label={t('edge.address')}
          description={t('edge.address.hint')}
          placeholder="203.0.113.2"
          dir="ltr"
          value={address}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        />
        <Group gap="xs">
          {isEdge ? (
            <>
              <Button
                variant="default"
                loading={save.isPending}
                disabled={wanted === publicIp}
                onClick={() => save.start({ publicIp: wanted })}
              >
                {t('edge.save')}
              </Button>
              <Button variant="default" loading={save.isPending} onClick={() => save.start({ isEdge: false })}>
                {t('edge.end')}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              loading={save.isPending}
              onClick={() => save.start({ isEdge: true, publicIp: wanted })}
            >
              {t('edge.start')}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
