CREATE TYPE "public"."uptime_method" AS ENUM('GET', 'HEAD');--> statement-breakpoint
CREATE TYPE "public"."uptime_outcome" AS ENUM('up', 'down', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."uptime_pause" AS ENUM('OWNER', 'PROJECT_STOPPED', 'NOT_DEPLOYED', 'ACCOUNT_SUSPENDED', 'HOST_NOT_OWN');--> statement-breakpoint
CREATE TYPE "public"."uptime_protocol" AS ENUM('http', 'https');--> statement-breakpoint
CREATE TYPE "public"."uptime_reason" AS ENUM('CONNECTION_LOST', 'TIMEOUT', 'STATUS', 'TEXT_MISSING', 'TEXT_PRESENT', 'TLS_NAME', 'TLS_EXPIRED', 'TLS_FAILED', 'PROXY_AWAY', 'CHECKER_DELAYED');--> statement-breakpoint
CREATE TYPE "public"."uptime_state" AS ENUM('UNKNOWN', 'UP', 'DOWN', 'PAUSED');--> statement-breakpoint
CREATE TYPE "public"."uptime_text_mode" AS ENUM('present', 'absent');--> statement-breakpoint
CREATE TABLE "status_pages" (
	"project_id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"show_days" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_pages_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "uptime_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"hostname" text NOT NULL,
	"protocol" "uptime_protocol" NOT NULL,
	"path" text NOT NULL,
	"method" "uptime_method" NOT NULL,
	"expected_status" text NOT NULL,
	"text" text,
	"text_mode" "uptime_text_mode" NOT NULL,
	"interval_minutes" smallint NOT NULL,
	"timeout_seconds" smallint NOT NULL,
	"retries" smallint NOT NULL,
	"on_status_page" boolean NOT NULL,
	"state" "uptime_state" DEFAULT 'UNKNOWN' NOT NULL,
	"state_since" timestamp (3) with time zone NOT NULL,
	"pause" "uptime_pause",
	"recent" text DEFAULT '' NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"next_run_at" timestamp (3) with time zone,
	"taken_at" timestamp (3) with time zone,
	"last_run_at" timestamp (3) with time zone,
	"last_known_at" timestamp (3) with time zone,
	"last_status" smallint,
	"last_reason" "uptime_reason",
	"last_ms" integer,
	"tls_days_left" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uptime_hours" (
	"check_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"up_seconds" integer NOT NULL,
	"down_seconds" integer NOT NULL,
	"answers" integer NOT NULL,
	"sum_ms" integer NOT NULL,
	"max_ms" integer NOT NULL,
	CONSTRAINT "uptime_hours_check_id_hour_pk" PRIMARY KEY("check_id","hour")
);
--> statement-breakpoint
CREATE TABLE "uptime_incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"check_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"reason" "uptime_reason" NOT NULL,
	"status" smallint
);
--> statement-breakpoint
CREATE TABLE "uptime_results" (
	"check_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"outcome" "uptime_outcome" NOT NULL,
	"status" smallint,
	"ms" integer,
	"reason" "uptime_reason",
	"tls_days_left" integer,
	CONSTRAINT "uptime_results_check_id_at_pk" PRIMARY KEY("check_id","at")
);
--> statement-breakpoint
ALTER TABLE "status_pages" ADD CONSTRAINT "status_pages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_checks" ADD CONSTRAINT "uptime_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_checks" ADD CONSTRAINT "uptime_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_hours" ADD CONSTRAINT "uptime_hours_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_incidents" ADD CONSTRAINT "uptime_incidents_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_results" ADD CONSTRAINT "uptime_results_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uptime_checks_due" ON "uptime_checks" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "uptime_checks_list" ON "uptime_checks" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "uptime_checks_user" ON "uptime_checks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uptime_hours_hour" ON "uptime_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "uptime_incidents_list" ON "uptime_incidents" USING btree ("check_id","started_at","id");--> statement-breakpoint
CREATE INDEX "uptime_incidents_end" ON "uptime_incidents" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "uptime_results_at" ON "uptime_results" USING btree ("at");