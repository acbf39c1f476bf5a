CREATE TYPE "public"."disk_usage_kind" AS ENUM('FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS');--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"first_id" bigint PRIMARY KEY NOT NULL,
	"last_id" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"archive" text NOT NULL,
	"archive_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "audit_checkpoints_last_id_unique" UNIQUE("last_id")
);
--> statement-breakpoint
CREATE TABLE "disk_usage" (
	"user_id" text NOT NULL,
	"kind" "disk_usage_kind" NOT NULL,
	"bytes" bigint NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "disk_usage_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "log_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "stop_reason" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "max_disk_mb" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disk_over_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "disk_usage" ADD CONSTRAINT "disk_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deployments_logged" ON "deployments" USING btree ("user_id","seq") WHERE log_removed_at is null;