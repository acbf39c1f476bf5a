CREATE TYPE "public"."backup_status" AS ENUM('QUEUED', 'RUNNING', 'GOOD', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."backup_target_kind" AS ENUM('FOLDER', 'SFTP', 'S3', 'REST');--> statement-breakpoint
CREATE TYPE "public"."backup_trigger" AS ENUM('MANUAL', 'SCHEDULE');--> statement-breakpoint
CREATE TYPE "public"."restore_kind" AS ENUM('FILES', 'DATABASE');--> statement-breakpoint
CREATE TYPE "public"."restore_status" AS ENUM('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'UNDONE');--> statement-breakpoint
CREATE TABLE "backup_targets" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" "backup_target_kind" NOT NULL,
	"location" text NOT NULL,
	"encrypted_place" text NOT NULL,
	"encrypted_key" text NOT NULL,
	"is_key_confirmed" boolean DEFAULT false NOT NULL,
	"last_good_at" timestamp (3) with time zone,
	"last_checked_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"worker_id" integer,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"project_name" text NOT NULL,
	"target_id" text NOT NULL,
	"status" "backup_status" DEFAULT 'QUEUED' NOT NULL,
	"trigger" "backup_trigger" NOT NULL,
	"snapshot_id" text,
	"bytes_done" bigint DEFAULT 0 NOT NULL,
	"bytes_total" bigint DEFAULT 0 NOT NULL,
	"files" integer,
	"bytes" bigint,
	"bytes_added" bigint,
	"databases" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backups_worker" CHECK ((status = 'RUNNING') = (worker_id is not null)),
	CONSTRAINT "backups_good" CHECK (status <> 'GOOD' or snapshot_id is not null)
);
--> statement-breakpoint
CREATE TABLE "restores" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"backup_id" text NOT NULL,
	"kind" "restore_kind" NOT NULL,
	"path" text,
	"database_id" text,
	"database_name" text,
	"status" "restore_status" DEFAULT 'QUEUED' NOT NULL,
	"problem" text,
	"undo_until" timestamp (3) with time zone,
	"worker_id" integer,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "restores_worker" CHECK ((status = 'RUNNING') = (worker_id is not null))
);
--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_target_id_backup_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."backup_targets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_targets_name" ON "backup_targets" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "backups_open" ON "backups" USING btree ("project_id","target_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX "backups_running" ON "backups" USING btree ("target_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "backups_queue" ON "backups" USING btree ("created_at") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX "backups_list" ON "backups" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "backups_all" ON "backups" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "backups_snapshot" ON "backups" USING btree ("target_id","snapshot_id");--> statement-breakpoint
CREATE UNIQUE INDEX "restores_open" ON "restores" USING btree ("project_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "restores_list" ON "restores" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "restores_kept" ON "restores" USING btree ("undo_until") WHERE undo_until is not null;