CREATE TYPE "public"."delivery_test_status" AS ENUM('SENDING', 'QUEUED', 'DEFERRED', 'DELIVERED', 'ANSWERED', 'BOUNCED', 'FAILED');--> statement-breakpoint
CREATE TABLE "delivery_tests" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"mailbox_id" text NOT NULL,
	"token" text NOT NULL,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"status" "delivery_test_status" NOT NULL,
	"queue_id" text,
	"relay" text,
	"reply" text,
	"answer" jsonb,
	"looked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "delivery_tests" ADD CONSTRAINT "delivery_tests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_tests" ADD CONSTRAINT "delivery_tests_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_tests_token" ON "delivery_tests" USING btree ("token");--> statement-breakpoint
CREATE INDEX "delivery_tests_user" ON "delivery_tests" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "delivery_tests_mailbox" ON "delivery_tests" USING btree ("mailbox_id");--> statement-breakpoint
CREATE INDEX "delivery_tests_created" ON "delivery_tests" USING btree ("created_at");