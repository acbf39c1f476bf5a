import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { Foreign } from './foreign.tsx'
import classes from './archive-choice.module.css'
import { uiMessages } from './ui.messages.ts'

interface ArchiveChoiceProps {
  /** Shown as chosen. */
  file?: File | undefined
  isPending?: boolean
  onFile(file: File): void
}

/** A button that also takes a dropped file. */
export function ArchiveChoice({ file, isPending = false, onFile }: ArchiveChoiceProps) {
  const t = useMessages(uiMessages)
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        const dropped = event.dataTransfer.files[0]
        if (dropped && !isPending) onFile(dropped)
      }}
    >
      <FileButton
        onChange={(chosen) => chosen && onFile(chosen)}
        accept=".zip,.tgz,.tar.gz,application/zip,application/gzip"
        inputProps={{ 'aria-label': t('archive.file') }}
      >
        {(props) => (
          <Button {...props} variant="default" loading={isPending} leftSection={<IconUpload size={16} aria-hidden />}>
            {t('archive.choose')}
          </Button>
        )}
      </FileButton>
      <p>{file === undefined ? t('archive.drop') : <Foreign dir="ltr">{file.name}</Foreign>}</p>
    </div>
  )
}
