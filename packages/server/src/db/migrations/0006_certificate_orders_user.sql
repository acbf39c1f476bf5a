ALTER TYPE "public"."certificate_order_outcome" ADD VALUE 'refused';--> statement-breakpoint
CREATE TABLE "certificate_alert_mails" (
	"user_id" text NOT NULL,
	"hostname" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "certificate_alert_mails_user_id_hostname_pk" PRIMARY KEY("user_id","hostname")
);
--> statement-breakpoint
ALTER TABLE "certificate_orders" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "certificate_alert_mails" ADD CONSTRAINT "certificate_alert_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_orders_age" ON "certificate_orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_user" ON "certificate_orders" USING btree ("user_id","created_at");