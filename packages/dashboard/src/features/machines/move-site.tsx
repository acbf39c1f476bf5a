import { Button, Group, Modal, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import { machineMessages } from './machines.messages.ts'
import { type Machine, type MachineSite, machinesKey, moveSite } from './machines.queries.ts'

interface MoveSiteProps {
  site: MachineSite
  /** Not empty. */
  machines: readonly Machine[]
  onClose(): void
}

export function MoveSite({ site: { projectId, name }, machines, onClose }: MoveSiteProps) {
  const t = useMessages(machineMessages)
  const ui = useMessages(uiMessages)
  const [machineId, setMachineId] = useState(machines[0]!.id)
  const machine = machines.find(({ id }) => id === machineId)?.name ?? ''
  const site = shownName(name)
  const move = useAction({
    run: () => moveSite(machineId, projectId),
    invalidates: [machinesKey],
    done: () => t('moved', { name: site, machine }),
    onDone: onClose
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('move.title', { name: site })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        <p>{t('move.hint')}</p>
        <NativeSelect
          label={t('move.to')}
          data-autofocus
          data={machines.map(({ id, name: label }) => ({ value: id, label }))}
          value={machineId}
          onChange={({ currentTarget }) => setMachineId(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button loading={move.isPending} onClick={() => move.start()}>
            {t('move.start')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
