CREATE TYPE "public"."slot_kind" AS ENUM('SITE', 'RUN');--> statement-breakpoint
CREATE TYPE "public"."overlap_policy" AS ENUM('SKIP', 'QUEUE', 'REPLACE');--> statement-breakpoint
CREATE TYPE "public"."run_problem" AS ENUM('NOT_DEPLOYED', 'PROJECT_STOPPED', 'PREVIOUS_RUNNING', 'REPLACED', 'OUT_OF_MEMORY', 'COULD_NOT_START', 'CONTAINER_GONE');--> statement-breakpoint
CREATE TYPE "public"."run_status" AS ENUM('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED', 'SKIPPED');--> statement-breakpoint
CREATE TYPE "public"."run_trigger" AS ENUM('SCHEDULE', 'MANUAL', 'COMMAND');--> statement-breakpoint
CREATE TABLE "run_output" (
	"run_id" text NOT NULL,
	"seq" bigserial NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "run_output_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	"scheduled_job_id" text,
	"trigger" "run_trigger" NOT NULL,
	"command" text NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"status" "run_status" DEFAULT 'QUEUED' NOT NULL,
	"problem" "run_problem",
	"exit_code" integer,
	"due_at" timestamp (3) with time zone,
	"deployment_id" text,
	"container_id" text,
	"worker_id" integer,
	"stop_requested_at" timestamp (3) with time zone,
	"is_truncated" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "runs_worker" CHECK ((status = 'RUNNING') = (worker_id is not null)),
	CONSTRAINT "runs_of" CHECK ((trigger = 'COMMAND') = (scheduled_job_id is null))
);
--> statement-breakpoint
CREATE TABLE "scheduled_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"schedule" text NOT NULL,
	"timezone" text NOT NULL,
	"command" text NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"overlap" "overlap_policy" NOT NULL,
	"is_enabled" boolean NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "container_slots" ADD COLUMN "kind" "slot_kind" DEFAULT 'SITE' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_output" ADD CONSTRAINT "run_output_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_scheduled_job_id_scheduled_jobs_id_fk" FOREIGN KEY ("scheduled_job_id") REFERENCES "public"."scheduled_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_jobs" ADD CONSTRAINT "scheduled_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_jobs" ADD CONSTRAINT "scheduled_jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_due" ON "runs" USING btree ("scheduled_job_id","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_running" ON "runs" USING btree ("scheduled_job_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "runs_of_job" ON "runs" USING btree ("scheduled_job_id","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_list" ON "runs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("user_id","created_at") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "scheduled_jobs_due" ON "scheduled_jobs" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "scheduled_jobs_list" ON "scheduled_jobs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "scheduled_jobs_user" ON "scheduled_jobs" USING btree ("user_id");