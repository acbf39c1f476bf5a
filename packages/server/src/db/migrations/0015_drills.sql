CREATE TYPE "public"."drill_start" AS ENUM('ANSWERED', 'NOT_DEPLOYED');--> statement-breakpoint
CREATE TABLE "backup_drills" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"project_name" text NOT NULL,
	"backup_id" text NOT NULL,
	"backup_taken_at" timestamp (3) with time zone NOT NULL,
	"target_name" text NOT NULL,
	"trigger" "backup_trigger" NOT NULL,
	"status" "backup_status" DEFAULT 'QUEUED' NOT NULL,
	"databases" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"files" integer,
	"bytes" bigint,
	"restore_ms" integer,
	"start_ms" integer,
	"start" "drill_start",
	"problem" text,
	"has_scratch" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backup_drills_worker" CHECK ((status = 'RUNNING') = (worker_id is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "backup_drills_open" ON "backup_drills" USING btree ((true)) WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "backup_drills_scratch" ON "backup_drills" USING btree ("id") WHERE has_scratch;--> statement-breakpoint
CREATE INDEX "backup_drills_list" ON "backup_drills" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "backup_drills_all" ON "backup_drills" USING btree ("created_at");