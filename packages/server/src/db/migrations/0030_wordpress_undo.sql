ALTER TYPE "public"."wordpress_task_kind" ADD VALUE 'UNDO';--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD COLUMN "undo_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD COLUMN "undo_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_tasks" ADD COLUMN "undo_of" text;--> statement-breakpoint
CREATE INDEX "wordpress_tasks_undo" ON "wordpress_tasks" USING btree ("undo_until") WHERE undo_until is not null;