import { Button, Group, Modal, Stack } from '@mantine/core'
import { useI18n, useMessages } from '../i18n/i18n.tsx'
import { Meter } from './meter.tsx'
import { quotaMessages } from './quota-note.messages.ts'
import { uiMessages } from './ui.messages.ts'

export interface QuotaFigures {
  used: number
  limit: number
}

export function QuotaNote({ used, limit, onClose }: QuotaFigures & { onClose(): void }) {
  const t = useMessages(quotaMessages)
  const ui = useMessages(uiMessages)
  const { number } = useI18n()
  return (
    <Modal opened onClose={onClose} title={t('title')} closeButtonProps={{ 'aria-label': ui('close') }}>
      <Stack gap="md">
        {limit > 0 && (
          <Meter label={t('title')} used={used} of={limit}>
            {t('figures', { used: number(used), limit: number(limit) })}
          </Meter>
        )}
        <p>{t(limit === 0 ? 'none' : 'full')}</p>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {ui('close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
