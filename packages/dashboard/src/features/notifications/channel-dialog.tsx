import { Button, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { CreateChannel } from '@panel/contract/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { type ChannelType, fieldsOf } from './channel-fields.ts'
import { notificationMessages } from './notifications.messages.ts'

interface ChannelDialogProps {
  channel?: Schema<'NotificationChannel'>
  onSecret?(signingSecret: string): void
  onDone(): void
  onClose(): void
}

export function ChannelDialog({ channel, onSecret, onDone, onClose }: ChannelDialogProps) {
  const t = useMessages(notificationMessages)
  const ui = useMessages(uiMessages)
  const [type, setType] = useState<ChannelType>(channel && channel.type !== 'EMAIL' ? channel.type : 'WEBHOOK')
  return (
    <Modal
      opened
      onClose={onClose}
      title={channel ? t('channel.edit', { name: channel.name }) : t('channel.add')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        {!channel && (
          <NativeSelect
            label={t('channel.type')}
            data={Object.keys(fieldsOf).map((value) => ({ value, label: t(`type.${value as ChannelType}`) }))}
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value as ChannelType)}
          />
        )}
        <ChannelForm
          key={type}
          type={type}
          onDone={onDone}
          {...(channel && { channel })}
          {...(onSecret && { onSecret })}
        />
      </Stack>
    </Modal>
  )
}

type ChannelFormProps = Omit<ChannelDialogProps, 'onClose'> & { type: ChannelType }

function ChannelForm({ type, channel, onSecret, onDone }: ChannelFormProps) {
  const t = useMessages(notificationMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateChannel,
    initialValues: {
      type,
      name: channel?.name ?? '',
      ...Object.fromEntries(fieldsOf[type].map(({ name }) => [name, '']))
    } as CreateChannel,
    send: async (given): Promise<string | null> => {
      const { token, ...others } = given as typeof given & { token?: string }
      const body = (token ? { ...others, token } : others) as CreateChannel
      if (!channel) return (await data(api.POST('/api/notifications/channels', { body }))).signingSecret
      const params = { path: { id: channel.id } }
      await data(api.PUT('/api/notifications/channels/{id}', { params, body }))
      return null
    },
    onSaved: (signingSecret) => {
      if (signingSecret === null) onDone()
      else onSecret?.(signingSecret)
      void client.invalidateQueries({ queryKey: ['notifications'] })
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {channel && <Notice tone="info">{t('channel.again')}</Notice>}
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('channel.name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        {fieldsOf[type].map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={t(label)}
            {...(hint && { description: t(hint) })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps(name)}
          />
        ))}
        <Button type="submit" loading={isPending}>
          {t(channel ? 'channel.save' : 'channel.add')}
        </Button>
      </Stack>
    </form>
  )
}
