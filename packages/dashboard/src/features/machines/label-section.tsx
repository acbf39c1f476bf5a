import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './machines.module.css'
import { machineMessages } from './machines.messages.ts'
import { type Machine, machinesKey, updateMachine } from './machines.queries.ts'

export function LabelSection({ machine: { id, labels } }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const saved = labels.join(', ')
  const [text, setText] = useState(saved)
  const save = useAction({
    run: () => updateMachine(id, { labels: text.split(/[\s,]+/).filter((label) => label !== '') }),
    invalidates: [machinesKey],
    done: () => t('labels.saved')
  })
  return (
    <Section title={t('labels')} hint={t('labels.hint')}>
      <Stack gap="sm" className={classes.form}>
        <TextInput
          label={t('labels')}
          description={t('labels.separated')}
          placeholder="region=eu, ssd"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button variant="default" loading={save.isPending} disabled={text === saved} onClick={() => save.start()}>
          {t('labels.save')}
        </Button>
      </Stack>
    </Section>
  )
}
